/** Which response of n8n to a delivery means that its event is stored. */
import { EventEmitter } from 'node:events';
import {
	findDeliveryState,
	trackDeliveryUntilStored,
} from '../../../nodes/VideoGenTrigger/deliveredEvents';

type Response = Parameters<typeof trackDeliveryUntilStored>[1];

test.each([
	[200, true, 'started'],
	[204, true, 'started'],
	[200, false, undefined],
	[302, true, undefined],
	[404, true, undefined],
	[429, true, undefined],
	[503, true, undefined],
])('status %i, sent: %s, results in the state %s', (statusCode, writableFinished, state) => {
	const response = Object.assign(new EventEmitter(), { statusCode, writableFinished });
	const key = `event answered with ${statusCode} ${writableFinished}`;
	trackDeliveryUntilStored(key, response as unknown as Response);
	expect(findDeliveryState(key)).toBe('inProgress');
	response.emit('close');
	expect(findDeliveryState(key)).toBe(state);
});
