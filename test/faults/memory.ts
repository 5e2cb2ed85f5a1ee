/** The memory of a running n8n. */
interface Use {
	heapUsed: number;
	rss: number;
}

/** Reads the bytes in n8n's memory after garbage collection, through Node's inspector. */
export async function memoryInUse(inspectorPort: number): Promise<Use> {
	const pages = await fetch(`http://127.0.0.1:${inspectorPort}/json`);
	const [page] = (await pages.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '');
	const event = async (name: string) =>
		await new Promise<Event>((resolve) => socket.addEventListener(name, resolve, { once: true }));
	await event('open');
	const call = async (method: string, params: object = {}) => {
		socket.send(JSON.stringify({ id: 1, method, params }));
		const { data } = (await event('message')) as MessageEvent<string>;
		return (JSON.parse(data) as { result: { result?: { value: string } } }).result;
	};
	await call('HeapProfiler.collectGarbage');
	const { result } = await call('Runtime.evaluate', {
		expression: 'JSON.stringify(process.memoryUsage())',
	});
	socket.close();
	return JSON.parse(result?.value ?? '') as Use;
}

/** The setting of n8n that opens the inspector. */
export const inspected = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
