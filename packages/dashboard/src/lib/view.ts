// A screen's own choices stand in the address as `view=name:value`; those of lists repeat their name.

/** The values of a choice, in their order. */
export const viewValues = (view: readonly string[], name: string): readonly string[] =>
	view.filter((entry) => entry.startsWith(`${name}:`)).map((entry) => entry.slice(name.length + 1));

/** The value of a choice that has one. */
export const viewValue = (view: readonly string[], name: string): string | undefined => viewValues(view, name)[0];

/** The choices with other values for one of them; none takes it away. */
export const withView = (view: readonly string[], name: string, values: readonly string[]): readonly string[] => [
	...view.filter((entry) => !entry.startsWith(`${name}:`)),
	...values.map((value) => `${name}:${value}`),
];
