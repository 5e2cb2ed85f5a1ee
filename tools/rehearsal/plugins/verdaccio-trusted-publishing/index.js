// What npm's registry has and verdaccio lacks: a workflow exchanges its identity for a token, but only for
// a package that exists.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

module.exports = ({ storage, token }) => ({
	register_middlewares(app) {
		app.get('/-/rehearsal/identity', (_, response) => response.json({ value: 'identity' }));
		app.post('/-/npm/v1/oidc/token/exchange/package/:name', ({ params, headers }, response) => {
			const isTrusted =
				headers.authorization === 'Bearer identity' && existsSync(join(storage, params.name));
			if (isTrusted) response.status(201).json({ token });
			else response.status(404).json({ message: 'No trusted publisher' });
		});
	},
});
