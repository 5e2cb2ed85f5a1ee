/** What Node's inspector knows of a running n8n: its memory, and where its time goes. */

/** The memory of a running n8n. */
interface Use {
	heapUsed: number;
	rss: number;
}

/** A function in a CPU profile, where another one has called it. */
interface ProfileNode {
	id: number;
	callFrame: { functionName: string; url: string };
	children?: number[];
}

/** A CPU profile, as the inspector returns it. Times are in microseconds. */
export interface Profile {
	nodes: ProfileNode[];
	/** IDs of the nodes that ran, and the time between each and the one before. */
	samples: number[];
	timeDeltas: number[];
}

type Call = <T>(method: string, params?: object) => Promise<T>;

async function useInspector<T>(port: number, act: (call: Call) => Promise<T>): Promise<T> {
	const pages = await fetch(`http://127.0.0.1:${port}/json`);
	const [page] = (await pages.json()) as Array<{ webSocketDebuggerUrl: string }>;
	const socket = new WebSocket(page?.webSocketDebuggerUrl ?? '');
	const event = async (name: string) =>
		await new Promise<Event>((resolve) => socket.addEventListener(name, resolve, { once: true }));
	await event('open');
	try {
		return await act(async (method, params = {}) => {
			socket.send(JSON.stringify({ id: 1, method, params }));
			const { data } = (await event('message')) as MessageEvent<string>;
			return (JSON.parse(data) as { result: never }).result;
		});
	} finally {
		socket.close();
	}
}

/** Reads the bytes in n8n's memory after garbage collection. */
export const memoryInUse = async (port: number): Promise<Use> =>
	await useInspector(port, async (call) => {
		await call('HeapProfiler.collectGarbage');
		const { result } = await call<{ result: { value: string } }>('Runtime.evaluate', {
			expression: 'JSON.stringify(process.memoryUsage())',
		});
		return JSON.parse(result.value) as Use;
	});

/** Records which functions of n8n run while something is done. */
export const profile = async (port: number, act: () => Promise<unknown>): Promise<Profile> =>
	await useInspector(port, async (call) => {
		await call('Profiler.enable');
		await call('Profiler.start');
		await act();
		return (await call<{ profile: Profile }>('Profiler.stop')).profile;
	});

/** The setting of n8n that opens the inspector. */
export const inspected = (port: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
