/** n8n's folder is whole where its database is, whatever ended the copying. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { placeDatabase } from '../e2e/n8n';
import { useFolder, write } from './support';

const at = useFolder();

beforeEach(() => {
	write(at('source', 'later', 'file'), 'later');
	write(at('source', 'config'), 'key');
	write(at('source', 'database.sqlite'), 'all of it');
});

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
	write(at('target', 'database.sqlite.half'), 'half of it, of an earlier kill');
	placeDatabase(at('source'), at('target'));
	expect(readFileSync(at('target', 'database.sqlite'), 'utf8')).toBe('all of it');
});
