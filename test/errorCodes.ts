import { readErrorCodes } from '../tools/serviceCodes';

/** Every error code of service.md, Errors, with its status. */
export const errorCodes = readErrorCodes();
