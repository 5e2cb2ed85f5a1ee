import { explanationsByCode } from '../nodes/core/errors/advice';
import { generatedNote, renderTable } from './pages';

/** docs/errors.md, which explains the error codes of the service, before formatting. */
export const renderErrorsPage = (): string =>
	[
		'# Error codes',
		'The error of a node says what happened, followed by the message of the service. Its details say what to do and name the code. With **On Error → Continue**, the item has the same facts in `details`. For codes that are missing here, the error only has the message of the service.',
		renderTable(
			['Code', 'What happened', 'What to do'],
			Object.entries(explanationsByCode)
				.sort(([a], [b]) => a.localeCompare(b))
				.map(([code, { message, advice }]) => [`\`${code}\``, message, advice]),
		),
		generatedNote,
		'',
	].join('\n\n');
