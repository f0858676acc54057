import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { texts } from "../../lib/language.ts";
import type { Form } from "../../lib/use-form.ts";
import { Button } from "../button/button.tsx";
import { Problem } from "../page/form-page.tsx";
import styles from "./record-form.module.css";

const t = texts({ en: { save: "Save", cancel: "Cancel" }, es: { save: "Guardar", cancel: "Cancelar" } });

interface RecordFormProps {
	readonly form: Form;
	/** Label of the submit button; “Save” by default. */
	readonly action?: string;
	/** Throws the draft away. Closing the dialog does not. */
	readonly onCancel: () => void;
	/** Called with the form at first, and whenever something in it changes; stays the same function. */
	readonly onType?: (form: HTMLFormElement) => void;
	readonly children: ReactNode;
}

/** The form of a record in a dialog: its draft is kept until it is sent or thrown away. */
export function RecordForm({ form, action = t.save, onCancel, onType, children }: RecordFormProps) {
	const element = useRef<HTMLFormElement>(null);
	const { ref: restore, onInput, onSubmit } = form.keeping;
	const ref = useCallback(
		(shown: HTMLFormElement | null) => {
			element.current = shown;
			restore(shown);
		},
		[restore],
	);
	// The draft was restored into the fields, which sends no event.
	useEffect(() => {
		if (element.current !== null) onType?.(element.current);
	}, [onType]);
	return (
		<form
			ref={ref}
			className={styles.form}
			onSubmit={onSubmit}
			onInput={(event) => {
				onInput(event);
				onType?.(event.currentTarget);
			}}
		>
			<Problem failure={form.failure} />
			{children}
			<div className={styles.actions}>
				<Button
					onClick={() => {
						form.forget();
						onCancel();
					}}
				>
					{t.cancel}
				</Button>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{action}
				</Button>
			</div>
		</form>
	);
}

/** Fields beside each other where there is room. */
export const Pair = ({ children }: { readonly children: ReactNode }) => <div className={styles.pair}>{children}</div>;
