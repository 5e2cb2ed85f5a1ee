import { startStage } from '../tools/stage';
import { itemsOf } from './e2e/n8n';
import { chain, start, until } from './e2e/workflows';
import { avatar, save } from './faults/creates';
import { noOp } from './faults/deliveries';

const count = 200;
const outageMinutes = Number(process.env.MINUTES ?? 60);
const log = (text: string) => process.stdout.write(`${new Date().toISOString()} ${text}\n`);
async function main() {
	const stage = await startStage({ userFolder: '/tmp/outage-n8n', tarball: process.env.VIDEOGEN_TARBALL, log, simulator: { jobSeconds: 0 } });
	const { n8n, simulator: { control } } = stage;
	const talking = avatar({ script: 'Hello there, this is a long enough text.', waitForCompletion: true });
	const titled = { ...talking, options: { title: '={{ $execution.id }}' } };
	const id = await save(stage, chain('Outage', [start, { name: 'Create', type: 'video', parameters: titled }, noOp('Done')]));
	control.holdJobs(true);
	control.setWorkspace({ jobsAtOnce: 5_000 });
	const ids: string[] = [];
	for (let i = 0; i < count; i++) ids.push(await n8n.start(id));
	await until('all suspended', async () => (await n8n.executions({ workflowId: id, status: ['running', 'new'] })).length === 0 && control.jobs('video').length === count, 400_000);
	await new Promise((r) => setTimeout(r, 120_000));
	const reads = () => control.requests().length;
	const before = reads();
	log(`outage begins, ${before} requests`);
	control.fail({ path: /./, status: 503 });
	const from = Date.now();
	let last = before;
	while (Date.now() - from < outageMinutes * 60_000) {
		await new Promise((r) => setTimeout(r, 300_000));
		log(`requests in 5 min: ${reads() - last}; running ${(await n8n.executions({ workflowId: id, status: ['running', 'new'] })).length}; waiting ${(await n8n.executions({ workflowId: id, status: ['waiting'] })).length}; rss ${Math.round(n8n.rssBytes() / 1e6)} MB`);
		last = reads();
	}
	log(`outage ends, ${reads() - before} requests in it`);
	control.clearFaults();
	for (const { id: job } of control.jobs('video') as Array<{ id: string }>) control.endJob(job);
	control.holdJobs(false);
	const end = Date.now();
	await until('all to end', async () => (await n8n.executions({ workflowId: id, status: ['running', 'new', 'waiting'] })).length === 0, 900_000);
	log(`all ended ${(Date.now() - end) / 1000} s after the outage`);
	let own = 0;
	for (const one of ids) {
		const execution = await n8n.execution(one);
		const [item] = itemsOf(execution, 'Done');
		if (item?.json.title === String(one) && item.json.status === 'completed') own++;
	}
	log(`own ${own} of ${count}; jobs ${control.jobs('video').length}`);
	await stage.close();
}
void main().then(() => process.exit(0), (e) => { console.error(e); process.exit(1); });
