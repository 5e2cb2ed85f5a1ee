import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
	'.css': 'text/css',
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.json': 'application/json',
	'.svg': 'image/svg+xml',
	'.webp': 'image/webp',
	'.woff2': 'font/woff2',
};

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

/** Serves a built site as hosts of static pages do: `/a` is `a.html`, and `/a/` is `a/index.html`. */
export async function serveFolder(folder: string, base: string) {
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? '/', 'http://site.example');
		const path = normalize(decodeURIComponent(pathname));
		const file = join(folder, path.slice(base.length - 1));
		const found = path.startsWith(base)
			? [file, `${file}.html`, join(file, 'index.html')].find(isFile)
			: undefined;
		if (found === undefined) {
			response.writeHead(404).end('Not found');
			return;
		}
		response.writeHead(200, { 'Content-Type': types[extname(found)] ?? 'text/plain' });
		createReadStream(found).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}${base}`, close: () => server.close() };
}
