/** The parts of a JSON Schema that the API description looks at. */
export interface JsonSchema {
	readonly $ref?: string;
	/** A body that may be left out. */
	readonly "x-optional"?: boolean;
	readonly description?: string;
	/** The name of the file that a form has in place of this field. */
	readonly "x-form-file"?: string;
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly pattern?: string;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly default?: unknown;
	readonly examples?: readonly unknown[];
	readonly minimum?: number;
	readonly minItems?: number;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
	readonly additionalProperties?: boolean | JsonSchema;
	readonly required?: readonly string[];
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly allOf?: readonly JsonSchema[];
}

/** A schema in which `change` was made at every place, from the inside out. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
	const all = (schemas: readonly JsonSchema[]) => schemas.map((one) => mapSchema(one, change));
	const { properties, items, anyOf, allOf } = schema;
	return change({
		...schema,
		...(properties && {
			properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, mapSchema(one, change)])),
		}),
		...(items && { items: mapSchema(items, change) }),
		...(anyOf && { anyOf: all(anyOf) }),
		...(allOf && { allOf: all(allOf) }),
	});
}
