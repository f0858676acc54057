import { type ReactNode, useState } from "react";
import { texts } from "../../lib/language.ts";
import { useForm } from "../../lib/use-form.ts";
import { Button } from "../button/button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import { Field, verbatim } from "../field/field.tsx";
import { Form } from "../form/form.tsx";
import styles from "./confirm-dialog.module.css";

const t = texts({
	en: {
		goes: "Will be deleted",
		stays: "Will be kept",
		type: (name: string) => `Type “${name}” to confirm`,
		cancel: "Cancel",
	},
	es: {
		goes: "Se eliminará",
		stays: "Se conservará",
		type: (name: string) => `Escribe «${name}» para confirmar`,
		cancel: "Cancelar",
	},
});

interface ConfirmDialogProps {
	readonly title: string;
	/** The deleted and the kept data: one sentence each. */
	readonly goes: readonly string[];
	readonly stays?: readonly string[];
	/** Must be typed first, where it cannot come back. */
	readonly name?: string;
	/** The verb on the button: “Delete the site”. */
	readonly action: string;
	/** More fields of the form, as a password. */
	readonly children?: ReactNode;
	/** The dialog closes afterwards; a thrown error is shown. */
	readonly onConfirm: (values: FormData) => Promise<unknown>;
	readonly onClose: () => void;
}

/** Asks before something is destroyed, and says what. */
export function ConfirmDialog({ title, goes, stays = [], name, action, children, ...on }: ConfirmDialogProps) {
	const [typed, setTyped] = useState("");
	const form = useForm(async (values) => {
		await on.onConfirm(values);
		on.onClose();
	});
	return (
		<Dialog title={title} onClose={on.onClose}>
			<Form form={form} className={styles.form}>
				<Sentences title={t.goes} sentences={goes} />
				{stays.length > 0 && <Sentences title={t.stays} sentences={stays} />}
				{children}
				{name !== undefined && (
					<Field label={t.type(name)} value={typed} onChange={(event) => setTyped(event.target.value)} {...verbatim} />
				)}
				<div className={styles.actions}>
					<Button onClick={on.onClose}>{t.cancel}</Button>
					<Button
						type="submit"
						look="danger"
						disabled={form.isBusy || (name !== undefined && typed.trim() !== name.trim())}
					>
						{action}
					</Button>
				</div>
			</Form>
		</Dialog>
	);
}

const Sentences = ({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) => (
	<div>
		<h3>{title}</h3>
		<ul className={styles.list}>
			{sentences.map((sentence) => (
				<li key={sentence}>{sentence}</li>
			))}
		</ul>
	</div>
);
