/** What the operations of this node work on. */
export const groups = {
	endpoint: { name: 'Endpoint', value: 'endpoint' },
	event: { name: 'Event', value: 'event' },
} as const;
