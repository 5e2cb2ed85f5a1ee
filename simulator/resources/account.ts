import { toIsoTime } from '../deliveries';
import { respond } from '../http/responses';
import type { Route } from '../http/route';
import type { Service } from '../service';

const viewAccount = ({ state }: Service) => ({
	username: 'demo',
	email: 'demo@studio.example',
	first_name: 'Robin',
	last_name: 'Example',
	billing_type: 'wallet',
	wallet: {
		currency: 'usd',
		remaining_balance: state.workspace.credit,
		auto_reload: { enabled: false, threshold_usd: null, amount_usd: null },
	},
	subscription: null,
	usage_based: null,
	included_credits: 500,
	remaining_credits: 420,
});

export function registerAccount(route: Route, service: Service) {
	route('GET /v3/users/me', () => respond(viewAccount(service)));

	route('GET /v1/user/me', () => ({
		status: 200,
		body: { code: 100, data: viewAccount(service), message: null },
	}));

	route('GET /v3/api_keys/self', ({ request, now }) => {
		const key = service.keys.get(String(request.headers['x-api-key']));
		const created = key?.created ?? now;
		return respond({
			key_id: key?.id ?? 'oauth',
			key_name: key?.name ?? 'Access token',
			status: 'active',
			scope_mode: !key || key.scopes.includes('*:*') ? 'full' : 'custom',
			scopes: key?.scopes ?? ['*:*'],
			created_at: toIsoTime(created),
			updated_at: toIsoTime(created),
			expires_at: null,
			expires_in_seconds: null,
		});
	});
}
