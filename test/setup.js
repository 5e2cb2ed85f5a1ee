// Before n8n's engine is loaded: it reads these once, and it logs every error that a test wants.
const { mkdtempSync } = require('node:fs');
const { join } = require('node:path');

process.env.N8N_USER_FOLDER = mkdtempSync(join(process.env.VIDEOGEN_TEST_FOLDER, 'n8n-'));
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_RUNNERS_ENABLED = 'false';
