import { createHmac } from 'node:crypto';
import { createInvalidParameterError } from '../errors';
import type { Row } from '../rows';
import type { Service } from '../service';
import type { ServiceResponse } from './responses';

interface PageQuery {
	limit: number;
	token?: string | undefined;
}

/** Returns one page of rows. A cursor refers to the last row shown, so that inserts do not shift pages. */
export function selectPage<T>(
	service: Service,
	list: string,
	rows: T[],
	query: PageQuery,
	options: { key: (row: T) => number; newestFirst?: boolean },
) {
	const { key, newestFirst } = options;
	const sorted = [...rows].sort((a, b) => (newestFirst ? key(b) - key(a) : key(a) - key(b)));
	const after = query.token === undefined ? undefined : readCursor(service, list, query.token);
	const remaining = sorted.filter(
		(row) => after === undefined || (newestFirst ? key(row) < after : key(row) > after),
	);
	const limit = Math.min(query.limit, service.settings.pageSize ?? query.limit);
	const pageRows = remaining.slice(0, limit);
	const last = pageRows.at(-1);
	const hasMore = remaining.length > pageRows.length && last !== undefined;
	return {
		rows: pageRows,
		has_more: hasMore,
		next_token: hasMore ? writeCursor(service, list, key(last)) : null,
	};
}

/** Responds with one page of rows, converted by `viewRow`. */
export function respondWithPage<T extends Row>(
	service: Service,
	list: string,
	rows: Iterable<T>,
	query: PageQuery,
	viewRow: (row: T) => unknown,
	order: 'newest' | 'catalog' = 'newest',
): ServiceResponse {
	const { rows: pageRows, ...remaining } = selectPage(service, list, [...rows], query, {
		key: (row) => row.seq,
		newestFirst: order === 'newest',
	});
	return { status: 200, body: { data: pageRows.map((row) => viewRow(row)), ...remaining } };
}

const signCursor = (service: Service, text: string) =>
	createHmac('sha256', service.linkSecret).update(text).digest('base64url').slice(0, 12);

function writeCursor(service: Service, list: string, position: number) {
	const text = `${list}|${position}`;
	return Buffer.from(`${text}|${signCursor(service, text)}`).toString('base64url');
}

function readCursor(service: Service, list: string, token: string) {
	const [name = '', position = '', signature] = Buffer.from(token, 'base64url')
		.toString()
		.split('|');
	if (name !== list || signature !== signCursor(service, `${name}|${position}`)) {
		throw createInvalidParameterError('token', 'token: is not a cursor of this list');
	}
	return Number(position);
}
