import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useSite } from "../site/index.ts";
import { hourText, kinds, type Note, t as words } from "./note-words.ts";
import styles from "./notes.module.css";
import { useNotes } from "./use-notes.ts";

const t = texts({
	en: {
		add: "Add annotation",
		change: "Edit annotation",
		text: "Text",
		placeholder: "New prices, version 3, autumn sale…",
		hint: "Visible to everyone with access, under the chart.",
		kind: "Type",
		day: "Day",
		hour: "Hour",
		wholeDay: "All day",
	},
	es: {
		add: "Añadir anotación",
		change: "Editar anotación",
		text: "Texto",
		placeholder: "Precios nuevos, versión 3, rebajas de otoño…",
		hint: "Visible para todos con acceso, bajo el gráfico.",
		kind: "Tipo",
		day: "Día",
		hour: "Hora",
		wholeDay: "Todo el día",
	},
});

const hours = Array.from({ length: 24 }, (_, hour) => hour);

interface NoteDialogProps {
	/** The note to change, or the time of a new one. */
	readonly of: Note | { readonly date: string; readonly hour?: number | undefined };
	readonly onClose: () => void;
}

/** Form of an annotation: text, date and hour. */
export function NoteDialog({ of, onClose }: NoteDialogProps) {
	const site = useSite();
	const { add, change } = useNotes();
	const before = "id" in of ? of : undefined;
	const form = useForm(async (values) => {
		const hour = textOf(values, "hour");
		const content = {
			date: textOf(values, "date"),
			hour: hour === "" ? null : Number(hour),
			text: textOf(values, "text"),
			kind: kinds.find((kind) => kind === values.get("kind")) ?? "note",
		};
		await (before ? change.mutateAsync({ row: before, to: content }) : add.mutateAsync(content));
		onClose();
	});
	return (
		<Dialog title={before ? t.change : t.add} onClose={onClose}>
			<Form form={form} className="stack-16">
				<Field
					label={t.text}
					hint={t.hint}
					placeholder={t.placeholder}
					name="text"
					required
					maxLength={200}
					data-first=""
					autoComplete="off"
					defaultValue={before?.text}
				/>
				<div className={styles.row}>
					<Select label={t.kind} name="kind" defaultValue={before?.kind}>
						<Options of={kinds} text={(kind) => words.kinds[kind]} />
					</Select>
					<Field label={t.day} name="date" type="date" required defaultValue={of.date} />
					<Select label={`${t.hour} (${site.timezone})`} name="hour" defaultValue={of.hour ?? ""}>
						<option value="">{t.wholeDay}</option>
						<Options of={hours} text={(hour) => hourText(hour)} />
					</Select>
				</div>
				<div className={styles.end}>
					<Submit />
				</div>
			</Form>
		</Dialog>
	);
}
