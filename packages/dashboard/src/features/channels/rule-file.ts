/** Rules in an exported file. */
export interface RuleFile {
	readonly version: 1;
	readonly rules: readonly unknown[];
}

/** Reads a file of rules; undefined where it is none. The server looks at the rows. */
export function readRuleFile(text: string): RuleFile | undefined {
	try {
		const read = JSON.parse(text) as Partial<RuleFile> | null;
		return read?.version === 1 && Array.isArray(read.rules) ? { version: 1, rules: read.rules } : undefined;
	} catch {
		return undefined;
	}
}
