import { triggerFlow } from '../triggerFlow';

export const flow = triggerFlow('Acme', { isWeekly: true }, 1);
