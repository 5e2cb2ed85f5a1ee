import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatNumber, formatRange } from '../../core/form/validation';
import { brandKitJob } from '../../jobKinds/catalog';

const { name, url } = apiLimits['POST /v3/brand-kits'];

/**
 * Whether a URL could belong to a public website. Email addresses are rejected: with `https://` in
 * front, they are URLs with a user name.
 */
function isWebsite(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { protocol, username, hostname } = new URL(url);
	return /^https?:$/.test(protocol) && username === '' && hostname.includes('.');
}

const websiteSchema = createTextSchema({ min: 0, ...url })
	// People write websites without https://, but the service requires it.
	.transform((website) => (website.includes('://') ? website : `https://${website.trim()}`))
	.refine(isWebsite, 'must be a website such as example.com');

export const create = defineOperation({
	value: 'create',
	name: 'Import From Website',
	action: 'Import brand kit from website',
	description: "Import a brand's colors, logos and fonts from its public website",
	request: 'POST /v3/brand-kits',
	returns: ['status', 'name', 'colors', 'fonts', 'logos'],
	fields: [
		{
			displayName: 'Website',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. example.com',
			description: `URL of the public website, up to ${formatNumber(url.max)} characters. A domain such as example.com is enough.`,
			schema: websiteSchema,
		},
	],
	options: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			description: `Name of the brand kit, ${formatRange(name)} characters. If not set, the service chooses one.`,
			schema: createTextSchema(name),
		},
	],
	idempotent: true,
	starts: brandKitJob,
});
