import {
	type InputHTMLAttributes,
	type ReactNode,
	type SelectHTMLAttributes,
	type TextareaHTMLAttributes,
	useId,
} from "react";
import { classes } from "../../lib/classes.ts";
import styles from "./field.module.css";

interface Described {
	readonly label: string;
	readonly hint?: ReactNode;
	/** Error of the value, from the browser or the server. */
	readonly error?: string | undefined;
}

/** One line of text with its label, hint and fault. */
export function Field({ label, hint, error, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
	const id = useId();
	return (
		<Around id={id} label={label} hint={hint} error={error}>
			<input {...input} {...described(id, hint, error)} id={id} className={classes(styles.input, input.className)} />
		</Around>
	);
}

/** A choice among few. */
export function Select({ label, hint, error, ...select }: Described & SelectHTMLAttributes<HTMLSelectElement>) {
	const id = useId();
	return (
		<Around id={id} label={label} hint={hint} error={error}>
			<select {...select} {...described(id, hint, error)} id={id} className={classes(styles.input, select.className)} />
		</Around>
	);
}

/** Several lines of text. */
export function Area({ label, hint, error, ...area }: Described & TextareaHTMLAttributes<HTMLTextAreaElement>) {
	const id = useId();
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
export function Check({ label, hint, error, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
	const id = useId();
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
