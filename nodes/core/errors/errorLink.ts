import type { ErrorDetails } from './errorDetails';

/** URL without a trailing slash. The build replaces the placeholder. */
export const documentation = { site: '@documentation-site@' };

/** Returns `undefined` without a code, or if the package was built without a documentation site. */
export function createErrorLink(
	{ code, status }: Pick<ErrorDetails, 'code' | 'status'>,
	site = documentation.site,
): string | undefined {
	if (!site.startsWith('https://')) return undefined;
	if (code !== undefined) return `${site}/errors#${encodeURIComponent(code.toLowerCase())}`;
	return status === undefined ? undefined : `${site}/errors#errors-without-a-code`;
}
