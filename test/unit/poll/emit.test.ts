/** Which input items are events that a poll has found. */
import { isPolledEvent } from '../../../nodes/VideoGenPollingTrigger/emit';

test.each([
	[{ event: {}, mark: 'events e1' }, true],
	[{ event: {} }, false],
	[{ event: 'text', mark: 'events e1' }, false],
	[{ mark: 'events e1' }, false],
	[{}, false],
])('%j is the event of a poll: %s', (json, expected) => {
	expect(isPolledEvent(json)).toBe(expected);
});
