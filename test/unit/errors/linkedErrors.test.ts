/** In a build with a documentation site, errors end with the link to their code. */
import {
	documentation,
	createOperationError,
	createServiceError,
} from '../../../nodes/core/errors/nodeErrors';

const { site } = documentation;
beforeAll(() => void (documentation.site = 'https://docs.example'));
afterAll(() => void (documentation.site = site));

const node = {
	id: '1',
	name: 'Node',
	type: 'test.node',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

test('the last line of an error of the service is the link', () => {
	const error = createServiceError(node, { code: 'not_found', status: 404 });
	expect(error.description?.split('\n').at(-1)).toBe(
		'About this error: https://docs.example/errors#not_found',
	);
	expect(error.message).not.toContain('https://');
});

test('so is that of an error of the node, if it has a code', () => {
	const withCode = createOperationError(node, 'Stopped', 'Wait', { code: 'stopped' });
	expect(withCode.description).toBe('Wait\nAbout this error: https://docs.example/errors#stopped');
	expect(createOperationError(node, 'Stopped', 'Wait').description).toBe('Wait');
});
