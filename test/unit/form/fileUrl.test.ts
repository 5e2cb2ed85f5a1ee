/** URLs of files: public ones use HTTPS, and only those of this machine may use HTTP. */
import { fileFieldSchema } from '../../../nodes/fields/asset';

const accepts = (url: string) => fileFieldSchema.safeParse({ type: 'url', url }).success;

test.each([
	'https://files.example/a.mp4',
	'HTTPS://files.example/a.mp4',
	'http://127.0.0.1:4010/media/a.mp4',
	'http://localhost/a.mp4',
])('%s is accepted', (url) => expect(accepts(url)).toBe(true));

test('spaces and line breaks around a URL or an asset ID are removed', () => {
	const url = 'https://files.example/a.mp4';
	expect(fileFieldSchema.parse({ type: 'url', url: ` ${url}\n` })).toEqual({ type: 'url', url });
	const asset = { type: 'asset_id', asset_id: 'a1' };
	expect(fileFieldSchema.parse({ ...asset, asset_id: 'a1\n' })).toEqual(asset);
});

test.each([
	'http://files.example/a.mp4',
	'http://localhost.example/a.mp4',
	'http://127.0.0.1.example/a.mp4',
	'ftp://127.0.0.1/a.mp4',
	'a.mp4',
])('%s is rejected', (url) => expect(accepts(url)).toBe(false));
