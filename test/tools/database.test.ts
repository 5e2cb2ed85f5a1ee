/** n8n's folder is whole where its database is, whatever ended the copying. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeDatabase } from '../e2e/n8n';

let folder: string;
const at = (...names: string[]) => join(folder, ...names);

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'videogen-database-'));
	mkdirSync(at('source', 'later'), { recursive: true });
	writeFileSync(at('source', 'config'), 'key');
	writeFileSync(at('source', 'database.sqlite'), 'all of it');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('all is copied', () => {
	placeDatabase(at('source'), at('target'));
	expect(readFileSync(at('target', 'config'), 'utf8')).toBe('key');
	expect(readFileSync(at('target', 'database.sqlite'), 'utf8')).toBe('all of it');
	expect(existsSync(at('target', 'database.sqlite.half'))).toBe(false);
});

test('a copy that ends in the middle leaves no database, and the next one makes it whole', () => {
	// What cannot be copied ends the copying.
	const pipe = at('source', 'later', 'pipe');
	expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
	expect(() => placeDatabase(at('source'), at('target'))).toThrow();
	expect(existsSync(at('target', 'database.sqlite'))).toBe(false);

	rmSync(pipe);
	writeFileSync(at('target', 'database.sqlite.half'), 'half of it, of an earlier kill');
	placeDatabase(at('source'), at('target'));
	expect(readFileSync(at('target', 'database.sqlite'), 'utf8')).toBe('all of it');
});
