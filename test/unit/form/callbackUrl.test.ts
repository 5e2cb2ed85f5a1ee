import { callbackUrlField } from '../../../nodes/fields/callback';

const isAccepted = (url: string) => callbackUrlField.schema.safeParse(url).success;

test.each(['https://flows.example/done', 'http://localhost:5678/x', 'HTTPS://flows.example'])(
	'a callback URL may be %s',
	(url) => expect(isAccepted(url)).toBe(true),
);

test.each([
	'javascript:alert(1)',
	'javascript://flows.example/%0aalert(1)',
	'data:text/html,x',
	'file:///etc/passwd',
	'http:',
	'',
])('a callback URL may not be %p', (url) => expect(isAccepted(url)).toBe(false));
