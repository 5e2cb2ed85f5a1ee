/** Lists of the service, page by page. */
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const paged = useService({ pageSize: 4 });

test('Return All reads all pages; a limit reads no more than needed', async () => {
	const all = await runNode(service, 'VideoGenAgent', {
		resource: 'style',
		operation: 'getMany',
		returnAll: true,
	});
	expect(all.items.length).toBeGreaterThan(20);
	service.control.reset();
	const everything = await runNode(paged, 'VideoGenAgent', {
		resource: 'style',
		operation: 'getMany',
		returnAll: true,
	});
	expect(everything.items.map(({ json }) => json.style_id)).toEqual(
		all.items.map(({ json }) => json.style_id),
	);
	expect(paged.control.requests()).toHaveLength(Math.ceil(all.items.length / 4));
	paged.control.reset();
	const six = await runNode(paged, 'VideoGenAgent', {
		resource: 'style',
		operation: 'getMany',
		returnAll: false,
		limit: 6,
	});
	expect(six.items).toHaveLength(6);
	expect(paged.control.requests()).toHaveLength(2);
});
