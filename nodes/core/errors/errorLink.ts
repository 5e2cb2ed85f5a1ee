import type { ErrorDetails } from './errorDetails';

/**
 * URL of the documentation site, without a trailing slash. The build replaces the placeholder with
 * the real URL.
 */
export const documentation = { site: '@documentation-site@' };

/**
 * Returns the URL of an error's documentation, or `undefined` if the error has no code or the
 * package was built without a documentation site.
 */
export function createErrorLink(
	{ code, status }: Pick<ErrorDetails, 'code' | 'status'>,
	site = documentation.site,
): string | undefined {
	if (!site.startsWith('https://')) return undefined;
	if (code !== undefined) return `${site}/errors#${encodeURIComponent(code.toLowerCase())}`;
	return status === undefined ? undefined : `${site}/errors#errors-without-a-code`;
}
