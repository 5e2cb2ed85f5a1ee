/** Values from outside may be the names of properties that every JavaScript object inherits. */
import type { IDataObject, INode } from 'n8n-workflow';
import { createServiceError } from '../../nodes/core/errors/nodeErrors';
import { determineFileType } from '../../nodes/core/files/fileType';
import { decideJobState } from '../../nodes/core/jobs/jobState';
import { videoJob } from '../../nodes/jobKinds/catalog';
import { jsonVariableValuesSchema } from '../../nodes/VideoGenTemplate/templateVariables';

const node = { name: 'Node', parameters: {} } as unknown as INode;
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

test.each(inherited)('the error code %s is explained by its status', (code) => {
	const error = createServiceError(node, { status: 409, code }, { serviceMessage: 'Hm' });
	expect(error.message).toBe("The resource's current state does not allow this operation: Hm");
});

test.each(inherited)('a template variable may have the type and the name %s', (type) => {
	const variables = JSON.parse(`{"${type}": {"type": "${type}", "value": 1}}`) as IDataObject;
	expect(jsonVariableValuesSchema.safeParse(variables).success).toBe(true);
});

test.each(inherited)('the status %s is unknown, so the job is pending', (status) => {
	expect(decideJobState(videoJob, { status })).toBe('pending');
});

test.each(inherited)('a file of the media type %s keeps it', (name) => {
	const expected = { mimeType: 'video/mp4', extension: 'mp4' };
	const type = determineFileType('https://files.example/video', name, expected);
	expect(type).toEqual({ mimeType: name.toLowerCase(), extension: 'mp4' });
});
