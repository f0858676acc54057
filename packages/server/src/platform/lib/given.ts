/** Those of some properties that an object has; undefined ones are left out. */
export const given = <T extends object, Name extends keyof T>(object: T, names: readonly Name[]) =>
	Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]])) as Partial<
		Pick<T, Name>
	>;
