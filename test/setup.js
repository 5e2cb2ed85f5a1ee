// Runs before n8n's engine is loaded, which reads its settings once.
const { mkdtempSync } = require('node:fs');
const { join } = require('node:path');

process.env.N8N_USER_FOLDER = mkdtempSync(join(process.env.VIDEOGEN_TEST_FOLDER, 'n8n-'));
// It logs every error that a test wants.
process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_RUNNERS_ENABLED = 'false';
// n8n's own protection, for addresses that no other test requests.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
process.env.N8N_SSRF_BLOCKED_IP_RANGES = '127.0.0.2/32';
process.env.N8N_SSRF_BLOCKED_HOSTNAMES = 'blocked.example';
