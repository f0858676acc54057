/** The parts of a route's schema that tools are made from. */
export interface JsonSchema {
	readonly type?: string;
	readonly description?: string;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly maximum?: number;
	readonly items?: JsonSchema;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly patternProperties?: unknown;
	readonly required?: readonly string[];
}
