import {
	type InputHTMLAttributes,
	type ReactNode,
	type SelectHTMLAttributes,
	type TextareaHTMLAttributes,
	useContext,
	useId,
} from "react";
import { classes } from "../../lib/classes.ts";
import { FormContext } from "../../lib/form-context.ts";
import styles from "./field.module.css";

interface Described {
	readonly label: string;
	readonly hint?: ReactNode;
	/** Error of the value; by default that of the form for the field of this name. */
	readonly error?: string | undefined;
}

/** Input of an identifier or address, taken as typed. */
export const verbatim = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

function useError(name: string | undefined, error: string | undefined): string | undefined {
	const form = useContext(FormContext);
	return error ?? (name && form?.errorOf(name));
}

/** One line of text with its label, hint and fault. */
export function Field({ label, hint, error: own, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
	const id = useId();
	const error = useError(input.name, own);
	return (
		<Around id={id} label={label} hint={hint} error={error}>
			<input {...input} {...described(id, hint, error)} id={id} className={classes(styles.input, input.className)} />
		</Around>
	);
}

/** A choice among few. */
export function Select({ label, hint, error: own, ...select }: Described & SelectHTMLAttributes<HTMLSelectElement>) {
	const id = useId();
	const error = useError(select.name, own);
	return (
		<Around id={id} label={label} hint={hint} error={error}>
			<select {...select} {...described(id, hint, error)} id={id} className={classes(styles.input, select.className)} />
		</Around>
	);
}

/** Several lines of text. */
export function Area({ label, hint, error: own, ...area }: Described & TextareaHTMLAttributes<HTMLTextAreaElement>) {
	const id = useId();
	const error = useError(area.name, own);
	return (
		<Around id={id} label={label} hint={hint} error={error}>
			<textarea
				rows={4}
				{...area}
				{...described(id, hint, error)}
				id={id}
				className={classes(styles.input, styles.area)}
			/>
		</Around>
	);
}

/** Something that is so or not. */
export function Check({ label, hint, error: own, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
	const id = useId();
	const error = useError(input.name, own);
	return (
		<div className={styles.field}>
			<label className={styles.check}>
				<input type="checkbox" {...input} {...described(id, hint, error)} />
				{label}
			</label>
			<Remarks id={id} hint={hint} error={error} />
		</div>
	);
}

const described = (id: string, hint: ReactNode, error: string | undefined) => ({
	"aria-invalid": error !== undefined || undefined,
	"aria-describedby": [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined,
});

function Around({
	id,
	label,
	hint,
	error,
	children,
}: Described & { readonly id: string; readonly children: ReactNode }) {
	return (
		<div className={styles.field}>
			<label htmlFor={id} className={styles.label}>
				{label}
			</label>
			{children}
			<Remarks id={id} hint={hint} error={error} />
		</div>
	);
}

function Remarks({ id, hint, error }: Pick<Described, "hint" | "error"> & { readonly id: string }) {
	return (
		<>
			{hint && (
				<p id={`${id}-hint`} className={styles.hint}>
					{hint}
				</p>
			)}
			{error && (
				<p id={`${id}-error`} className={styles.error}>
					{error}
				</p>
			)}
		</>
	);
}
