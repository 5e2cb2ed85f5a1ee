export function describeProgress(modules: string, seconds: number, total?: number): string;
