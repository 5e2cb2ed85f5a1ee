/** Requests for the rest of a file, and the responses that contain it. */
import {
	canDetectFileChange,
	isRequestedRange,
	readFileVersion,
	buildRangeHeaders,
} from '../../../nodes/core/files/download';

const full = { etag: '"a"', modified: 'Mon, 01 Jan 2024 00:00:00 GMT', bytes: 100 };

test('the version of a file is its strong ETag, its date and its length', () => {
	const headers = { etag: '"a"', 'last-modified': full.modified, 'content-length': '100' };
	expect(readFileVersion(headers)).toEqual(full);
	expect(readFileVersion({ etag: 'W/"a"' })).toEqual({});
	expect(canDetectFileChange(readFileVersion({}))).toBe(false);
	expect(canDetectFileChange(readFileVersion({ 'content-length': '0' }))).toBe(true);
});

test('the rest is requested only of the same version', () => {
	expect(buildRangeHeaders(7, full)).toEqual({ Range: 'bytes=7-', 'If-Range': '"a"' });
	expect(buildRangeHeaders(7, { modified: full.modified })).toEqual({
		Range: 'bytes=7-',
		'If-Range': full.modified,
	});
	expect(buildRangeHeaders(7, { bytes: 100 })).toEqual({ Range: 'bytes=7-' });
});

test.each([
	['the rest', 206, { 'content-range': 'bytes 7-99/100', etag: '"a"' }, true],
	['the rest without an ETag', 206, { 'content-range': 'bytes 7-99/100' }, true],
	['the rest of a file of unknown length', 206, { 'content-range': 'bytes 7-99/*' }, true],
	['the whole file', 200, { 'content-length': '100', etag: '"a"' }, false],
	['a part that claims to be whole', 200, { 'content-range': 'bytes 7-99/100' }, false],
	['the whole file as a part', 206, { 'content-length': '100' }, false],
	['another part', 206, { 'content-range': 'bytes 8-99/100', etag: '"a"' }, false],
	['a part of the rest', 206, { 'content-range': 'bytes 7-50/100', etag: '"a"' }, false],
	['the rest of a longer file', 206, { 'content-range': 'bytes 7-199/200' }, false],
	['the rest of another file', 206, { 'content-range': 'bytes 7-99/100', etag: '"b"' }, false],
	['a rejection', 416, { 'content-range': 'bytes */100' }, false],
])('%s', (_, status, headers, expected) => {
	expect(isRequestedRange(status, headers, 7, full)).toBe(expected);
});

test('without an ETag, the length decides', () => {
	const bare = { bytes: 100 };
	expect(isRequestedRange(206, { 'content-range': 'bytes 7-99/100' }, 7, bare)).toBe(true);
	expect(isRequestedRange(206, { 'content-range': 'bytes 7-99/*' }, 7, bare)).toBe(false);
	expect(isRequestedRange(206, { 'content-range': 'bytes 7-98/99' }, 7, bare)).toBe(false);
});

test.each([
	[{ etag: '"a"' }, true],
	[{ modified: full.modified }, true],
	[{ bytes: 0 }, true],
	[{}, false],
])('a change of the file with the version %j can be detected: %s', (version, expected) => {
	expect(canDetectFileChange(version)).toBe(expected);
});

test.each([
	['an ETag that the first response lacked', { bytes: 100 }, '"b"'],
	['a length that the first response lacked', { modified: full.modified }, undefined],
	['a length that the first response lacked and its ETag', { etag: '"a"' }, '"a"'],
	['a weak ETag, which is not compared', full, 'W/"b"'],
])('the rest may have %s', (_, version, etag) => {
	const headers = { 'content-range': 'bytes 7-99/100', etag };
	expect(isRequestedRange(206, headers, 7, version)).toBe(true);
});
