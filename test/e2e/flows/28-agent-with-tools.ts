import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { packageName, withCredential } from '../../../tools/stage';
import { startChatModel, type ChatModel, type Turns } from '../chatModel';
import type { Flow, FlowContext } from '../flow';
import type { Reference, WorkflowDraft } from '../n8n';
import { byId, errorText, example } from '../workflows';

const text = 'Hello there, this is a long enough text.';

/** What a tool has answered: n8n gives the model its items as JSON. */
const itemsIn = (said: string | undefined) => JSON.parse(said ?? '[]') as IDataObject[];

/** One more tool of the agent. */
function withTool(
	draft: WorkflowDraft,
	name: string,
	type: string,
	parameters: INodeParameters,
): WorkflowDraft {
	return {
		...draft,
		nodes: [
			...draft.nodes,
			{
				...{ id: name, name, typeVersion: 1, position: [0, 0] },
				type: `${packageName}.${type}Tool`,
				parameters: { authentication: 'apiKey', ...parameters },
			},
		],
		connections: {
			...draft.connections,
			[name]: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
		},
	};
}

const asked = (words: string) => `={{ $fromAI('${words}', 'Words to say', 'string') }}`;

const avatarVideo = {
	operation: 'createAvatar',
	waitForCompletion: false,
	avatar_id: byId('look_001_1'),
	speechFrom: 'text',
	voice_id: byId('voice_001'),
};

/**
 * A model that wants the link of a video: it creates the video, then reads its session, and stops as
 * soon as an answer has the link. Returns the names of the tools that it called.
 */
async function countCallsToLink(context: FlowContext, model: ChatModel, id: string, first: string) {
	const called: string[] = [];
	const linkIn = (said: string[]) => itemsIn(said.at(-1))[0]?.video_url;
	const turn = (name: string, args: (said: string[]) => IDataObject) => (said: string[]) => {
		if (said.length > 0 && linkIn(said) !== undefined) return undefined;
		called.push(name);
		return call(name, args(said));
	};
	const read = turn('Check_Session', ([one]) => {
		// The video is done by the time that the model reads.
		context.simulator.control.clock.advance(60);
		return { session_id: itemsIn(one)[0]?.session_id };
	});
	const prompt = `A 30-second video about tea, by ${first}`;
	const said = await chat(context, model, id, [turn(first, () => ({ prompt })), read, read]);
	assert.match(String(linkIn(said)), /^http/, `${first} leads to a link`);
	return called;
}

/** The example, with tools in which a test can see more. */
function workflow(model: Reference, credential: Reference): WorkflowDraft {
	let draft = example('06-agent-with-tools.json');
	const more: Array<[string, string, INodeParameters]> = [
		['Start Video', 'videoGenVideo', { ...avatarVideo, script: asked('words') }],
		[
			'Await Video',
			'videoGenVideo',
			{
				...avatarVideo,
				script: asked('words'),
				waitForCompletion: true,
				options: { waitTimeout: 0.05 },
				advanced: { pollInterval: 1 },
			},
		],
		[
			'Make Without Waiting',
			'videoGenAgent',
			{
				...{ resource: 'session', operation: 'create', mode: 'generate' },
				waitForCompletion: false,
				prompt: "={{ $fromAI('prompt', 'What the video shows', 'string') }}",
			},
		],
		['Delete Video', 'videoGenVideo', { operation: 'delete', video_id: byId('video_001') }],
	];
	for (const [name, type, parameters] of more) draft = withTool(draft, name, type, parameters);
	const whole = withCredential(draft, credential);
	return {
		...whole,
		nodes: whole.nodes.map((node) =>
			node.name === 'Chat Model' ? { ...node, credentials: { openAiApi: model } } : node,
		),
		pinData: { Chat: [{ json: { sessionId: 's', action: 'sendMessage', chatInput: 'Help me' } }] },
	};
}

/** One message to the agent: what its tools answer. */
async function chat({ n8n }: FlowContext, model: ChatModel, id: string, turns: Turns) {
	model.says(turns);
	const execution = await n8n.run(id, { trigger: 'Chat' });
	assert.equal(execution.status, 'success', errorText(execution));
	return model.heard();
}

const call = (name: string, args: IDataObject = {}) => [{ name, args }];

export const flow: Flow = {
	name: 'example 06: an AI agent creates a video, gets the information that it needs, pays once, and deletes nothing',
	run: async (context) => {
		const { n8n, simulator, credential } = context;
		const { control } = simulator;
		const model = await startChatModel();
		try {
			const key = await n8n.createCredential('openAiApi', 'Chat model', {
				...{ apiKey: 'none', url: model.baseUrl, header: false },
			});
			const { id } = await n8n.createWorkflow(workflow(key, credential));
			const say = async (...turns: Turns) => await chat(context, model, id, turns);
			const videos = () => control.jobs('video') as Array<IDataObject & { id: string }>;

			// A call gives the id of what it made, with which the next tool finds it.
			const [made, session, video] = await say(
				() => call('Make_Video', { prompt: 'A short welcome' }),
				([one]) => call('Check_Session', { session_id: itemsIn(one)[0]?.session_id }),
				([, one]) => call('Check_Video', { video_id: itemsIn(one)[0]?.video_id }),
			);
			const sessionId = itemsIn(made)[0]?.session_id;
			const job = (control.jobs('session') as IDataObject[]).find((one) => one.id === sessionId);
			assert.ok(job, 'the session exists');
			assert.equal(itemsIn(made)[0]?.status, 'completed');
			assert.equal(itemsIn(session)[0]?.session_id, job.id);
			assert.equal(itemsIn(video)[0]?.video_id, itemsIn(made)[0]?.video_id);
			assert.match(String(itemsIn(video)[0]?.video_url), /^http/);

			// The tool descriptions that the model received.
			const told = (name: string) => model.toolsTold().get(name)?.description ?? '';
			assert.match(told('Make_Video'), /^Generate video from prompt\. .*Costs money/);
			assert.match(
				told('Make_Video'),
				/Returns session_id.*at most 30 minutes.*call this tool again with exactly the same/,
			);
			assert.match(told('Start_Video'), /^Create video of speaking avatar\. .*Costs money/);
			assert.match(told('Start_Video'), /Does not wait.*call Get later with video_id/);
			assert.match(
				told('List_Videos'),
				/Only reads\. Returns a short list of entries with video_id/,
			);
			assert.deepEqual(
				Object.keys(model.toolsTold().get('Make_Video')?.parameters.properties ?? {}),
				['prompt'],
			);

			// The shortest ways to a link: one call that waits, or a create and a read.
			assert.deepEqual(await countCallsToLink(context, model, id, 'Make_Video'), ['Make_Video']);
			control.holdJobs(false);
			const calls = await countCallsToLink(context, model, id, 'Make_Without_Waiting');
			assert.ok(calls.length <= 3, calls.join());

			// The same call again makes nothing; another one does. Both in turn and side by side.
			let before = videos().length;
			const [one, again, other] = await say(
				() => call('Start_Video', { words: text }),
				() => call('Start_Video', { words: text }),
				() => call('Start_Video', { words: `${text} Again.` }),
			);
			assert.equal(videos().length, before + 2);
			assert.equal(itemsIn(again)[0]?.video_id, itemsIn(one)[0]?.video_id);
			assert.match(String(itemsIn(again)[0]?.repeated), /nothing new was created or charged/);
			assert.notEqual(itemsIn(other)[0]?.video_id, itemsIn(one)[0]?.video_id);
			before = videos().length;
			const aside = await say(() => [
				...call('Start_Video', { words: text }),
				...call('Start_Video', { words: text }),
				...call('Start_Video', { words: `${text} And more.` }),
			]);
			assert.equal(videos().length, before + 2, 'another chat pays for its own');
			assert.equal(new Set(aside.map((said) => itemsIn(said)[0]?.video_id)).size, 2);

			// A wait that ends too early is a result; who calls again waits for the same.
			before = videos().length;
			control.holdJobs(true);
			const waited = await say(
				() => call('Await_Video', { words: text }),
				() => call('Await_Video', { words: text }),
			).finally(() => control.holdJobs(false));
			assert.equal(videos().length, before + 1);
			for (const said of waited) {
				const [item] = itemsIn(said);
				assert.equal(item?.video_id, videos().at(-1)?.id);
				assert.equal(item?.finished, false);
				assert.match(String(item?.status), /pending|waiting|processing/);
				assert.match(
					String(item?.note),
					/Do not create it again.*exactly the same.*call Get, with video_id/,
				);
			}

			// Nothing is deleted.
			const deletes = () => control.requests({ method: 'DELETE' }).length;
			before = deletes();
			const [rejected] = await say(() => call('Delete_Video'));
			assert.match(rejected ?? '', /cannot be done by an AI agent: nothing was changed/);
			assert.equal(deletes(), before);

			// A rejection by the service includes advice.
			control.fail({ method: 'POST', path: '/v3/videos', status: 402, times: 1 });
			const [unpaid] = await say(() => call('Start_Video', { words: `${text} For credit.` }));
			assert.match(unpaid ?? '', /not have enough credit/i);

			// A list of 20 is short, and has each id.
			for (let i = videos().length; i < 20; i++) {
				await say(() => call('Start_Video', { words: `${text} Number ${i}` }));
			}
			const [list] = await say(() => call('List_Videos'));
			assert.equal(itemsIn(list).length, 20);
			assert.ok((list ?? '').length < 4_000, `${list?.length} characters`);
			assert.equal(new Set(itemsIn(list).map(({ video_id }) => video_id)).size, 20);
			for (const { video_id, status } of itemsIn(list)) assert.ok(video_id && status);
		} finally {
			await model.close();
		}
	},
};
