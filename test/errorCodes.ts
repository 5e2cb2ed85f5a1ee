import { readErrorCodes } from '../tools/serviceCodes';

/** Every error code of docs/service.md, Errors, with its status. */
export const errorCodes = readErrorCodes();
