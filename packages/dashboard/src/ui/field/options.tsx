interface OptionsProps<T extends string | number> {
	readonly of: readonly T[];
	/** The value itself by default. */
	readonly text?: (value: T) => string | undefined;
}

/** The choices of a select. */
export const Options = <T extends string | number>({ of, text = String }: OptionsProps<T>) =>
	of.map((value) => (
		<option key={value} value={value}>
			{text(value)}
		</option>
	));
