import { missing } from './errors';
import {
	add,
	newId,
	tableOf,
	type Failure,
	type Job,
	type Row,
	type Service,
	type Table,
} from './store';

/** One step on a job's way, `share` of the job's time after its start. */
export interface Step {
	share: number;
	run: (at: number) => void;
}

/** Starts a job that passes its steps and then ends, well or not. */
export function startJob(
	service: Service,
	kind: string,
	job: {
		id: string;
		record: object;
		/** Now by default. With the record's `created`, it is completed exactly the job's time later. */
		start?: number;
		steps?: Step[];
		seconds?: number;
		complete: (at: number) => void;
		fail: (failure: Failure, at: number) => void;
		failure?: Failure | null;
	},
): Job {
	const { state, settings } = service;
	const { start = service.clock.now(), seconds = settings.jobSeconds } = job;
	const row = add<Job>(state, state.jobs, {
		id: job.id,
		kind,
		record: job.record,
		failure: state.failNext.get(kind)?.shift() ?? job.failure ?? null,
		ended: false,
	});
	for (const step of job.steps ?? []) {
		service.clock.afterWork(start, seconds * step.share, (at) => {
			if (!row.ended) step.run(at);
		});
	}
	service.clock.afterWork(start, seconds, (at) => {
		if (row.ended) return;
		row.ended = true;
		if (row.failure) job.fail(row.failure, at);
		else job.complete(at);
	});
	return row;
}

/** A resource that is no more than its fields and the way from one status to the next. */
export interface Plain extends Row {
	status: string;
	created: number;
	completed: number | null;
	failure: Failure | null;
	fields: Record<string, unknown>;
}

export function startPlain(
	service: Service,
	kind: string,
	options: {
		prefix: string;
		/** Instead of a new one: the row takes the place of the old. */
		id?: string | undefined;
		fields: Record<string, unknown>;
		statuses: { waiting: string; running: string; done?: string; failed?: string };
		callbackUrl?: string | null | undefined;
		/** Name and payload of the events at the end; the suffix tells which end it was. */
		event?: { name: string; data: (row: Plain) => Record<string, unknown> };
		onStart?: () => void;
		onEnd?: (failure: Failure | null) => void;
	},
): Plain {
	const { statuses, event } = options;
	const row = add<Plain>(service.state, plainTable(service, kind), {
		id: options.id ?? newId(options.prefix),
		status: statuses.waiting,
		created: service.clock.now(),
		completed: null,
		failure: null,
		fields: options.fields,
	});
	const end = (status: string, at: number, failure: Failure | null) => {
		Object.assign(row, { status, completed: at, failure });
		options.onEnd?.(failure);
		const name = event && `${event.name}.${failure ? 'fail' : 'success'}`;
		if (event && name) {
			service.deliverer.emit(name, event.data(row), { url: options.callbackUrl ?? null });
		}
	};
	startJob(service, kind, {
		id: row.id,
		record: row,
		start: row.created,
		steps: [
			{
				share: 0.15,
				run: () => {
					row.status = statuses.running;
					options.onStart?.();
				},
			},
		],
		complete: (at) => end(statuses.done ?? 'completed', at, null),
		fail: (failure, at) => end(statuses.failed ?? 'failed', at, failure),
	});
	return row;
}

export const plainTable = (service: Service, kind: string) =>
	tableOf(service.state, kind) as Table<Plain>;

export function findPlain(
	service: Service,
	kind: string,
	id: string | undefined,
	code = 'not_found',
) {
	const row = plainTable(service, kind).get(id ?? '');
	if (!row) throw missing(code, `${kind.replace(/_/g, ' ')} ${id}`);
	return row;
}

/** Deletes a resource; what it was doing goes unheard. */
export function dropPlain(service: Service, kind: string, row: Plain) {
	plainTable(service, kind).delete(row.id);
	const job = service.state.jobs.get(row.id);
	if (job) job.ended = true;
}

/** The status as bulk lookups and batches name it. */
export function itemStatus(row: Plain | undefined) {
	if (!row) return undefined;
	const names: Record<string, string> = { pending: 'queued', running: 'processing' };
	return { status: names[row.status] ?? row.status, error: row.failure };
}
