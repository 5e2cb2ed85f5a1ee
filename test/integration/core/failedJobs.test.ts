/** Jobs of every kind that fail: the error has the reason, and the job that was started. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runForJson, url } from '../support/cases';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const film = url('https://files.example/talk.mp4');
const reason = 'Nobody speaks';
/** Where the service returns no such text. */
const reasons: Record<string, string> = {
	brand_kit: 'The service gave no reason',
	model_voice: 'TRAINING_FAILED',
};

test.each<[string, string, INodeParameters, string]>([
	['composition_render', 'VideoGenComposition', { projectFrom: 'file', project: film }, 'render'],
	['lipsync', 'VideoGenLipsync', { video: film, audio: film, mode: 'speed' }, 'lipsync'],
	['background_removal', 'VideoGenBackgroundRemoval', { video: film }, 'background removal'],
	['clipping', 'VideoGenClipping', { video: film, splitIntoClips: true }, 'clipping'],
	['brand_kit', 'VideoGenBrandKit', { url: 'https://bakery.example/' }, 'brand kit'],
	[
		'model_video',
		'VideoGenModelVideo',
		{
			...{ operation: 'textToVideo', prompt: 'A boat', duration: 5 },
			...{ modelFrom: 'name', model: 'model-1' },
		},
		'model video',
	],
	[
		'model_voice',
		'VideoGenVoice',
		{
			...{ resource: 'professionalVoice', operation: 'train', name: 'Narrator' },
			audio: { recording: [{ file: film }] },
		},
		'model voice',
	],
	[
		'voice_clone',
		'VideoGenVoice',
		{ resource: 'voice', operation: 'clone', audio: film, voice_name: 'Me' },
		'voice clone',
	],
	['avatar', 'VideoGenAvatar', { operation: 'createFromPhoto', name: 'Maria', file: film }, 'look'],
	[
		'workflow_run',
		'VideoGenWorkflow',
		{ resource: 'run', operation: 'start', workflow_id: byId('={{ $json.workflow_id }}') },
		'workflow run',
	],
	[
		'video',
		'VideoGenTemplate',
		{ operation: 'generate', template_id: byId('template_001'), variablesFrom: 'item' },
		'video',
	],
])('%s', async (kind, node, parameters, name) => {
	const graph = {
		...{ schema_version: '1.0.0', inputs: {}, nodes: [{ id: 'write', type: 'text' }] },
		outputs: { result: { node_id: 'write', port: 'output' } },
	};
	const { workflow_id } = await runForJson(service, 'VideoGenWorkflow', {
		...{ resource: 'workflow', operation: 'create', name: 'Product video' },
		product_graph: JSON.stringify(graph),
	});
	service.control.failNext(kind, { code: 'generation_failed', message: reason });
	const wait = { waitForCompletion: true, options: { pollInterval: 1 } };
	const { error } = await runNode(
		service,
		node,
		{ operation: 'create', ...parameters, ...wait },
		{ items: [{ json: { workflow_id, headline: 'New' } }] },
	);
	expect(error?.message).toBe(`The ${name} failed: ${reasons[kind] ?? reason}`);
	const [started] = service.control.jobs(kind) as IDataObject[];
	expect(error?.context?.details).toMatchObject({ job: { id: started?.id } });
	expect(error?.description).toContain(`${name} ${String(started?.id)}`);
});
