// The runner of the tests compiles nothing itself.
require('tsx/cjs/api').register();
require('tsx/esm/api').register();
