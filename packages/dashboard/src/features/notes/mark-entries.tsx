import { Diamond } from "lucide-react";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { time } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { type Alert, AlertVerdict, alertWords, foundValue, isOpen, measuredBy, subjectOf } from "../alerts/index.ts";
import { useSite } from "../site/index.ts";
import { type Note, when, t as words } from "./note-words.ts";
import styles from "./notes.module.css";
import { useNotes } from "./use-notes.ts";

const t = texts({
	en: { change: "Edit", remove: "Delete", verdict: "Acknowledge…" },
	es: { change: "Editar", remove: "Eliminar", verdict: "Confirmar…" },
});

/** A note or an alert, and when it happened on the site's clock. */
export interface Entry {
	readonly date: string;
	readonly hour: number | null;
	readonly alert?: Alert;
	readonly note?: Note;
}

interface MarkEntriesProps {
	readonly entries: readonly Entry[];
	readonly onDone: () => void;
	readonly onChange: (note: Note) => void;
	readonly onRemoved: () => void;
}

/** Entries of a mark. */
export const MarkEntries = ({ entries, onDone, onChange, onRemoved }: MarkEntriesProps) => (
	<ul className={styles.entries}>
		{entries.map(({ alert, note }) =>
			alert ? (
				<AlertEntry key={`alert ${alert.id}`} alert={alert} onDone={onDone} />
			) : (
				note && <NoteEntry key={note.id} note={note} onChange={onChange} onRemoved={onRemoved} />
			),
		)}
	</ul>
);

function AlertEntry({ alert, onDone }: { readonly alert: Alert; readonly onDone: () => void }) {
	const site = useSite();
	const [judges, setJudges] = useState(false);
	const mayJudge = isOpen(alert) && may("PATCH /alerts/history/{alert_id}", site.role);
	return (
		<li className={styles.entry}>
			<p className={styles.title}>
				<Diamond size={12} className={styles.alert} aria-hidden="true" />
				<strong>{alert.rule_name}</strong>
			</p>
			<p>
				{subjectOf(measuredBy(alert))}: {foundValue(alert, site.currency)}
			</p>
			<p className="muted">
				{time(alert.triggered_at)} · {alertWords.statuses[alert.status]}
			</p>
			{judges ? (
				<AlertVerdict alert={alert} onDone={onDone} />
			) : (
				<>
					{alert.notes && <q>{alert.notes}</q>}
					{mayJudge && (
						<div className={styles.actions}>
							<Button look="quiet" small onClick={() => setJudges(true)}>
								{t.verdict}
							</Button>
						</div>
					)}
				</>
			)}
		</li>
	);
}

type NoteEntryProps = { readonly note: Note } & Pick<MarkEntriesProps, "onChange" | "onRemoved">;

function NoteEntry({ note, onChange, onRemoved }: NoteEntryProps) {
	const { role } = useSite();
	const { remove } = useNotes();
	return (
		<li className={styles.entry}>
			<p className={styles.title}>
				<Diamond size={12} className={styles.note} aria-hidden="true" />
				<strong>{note.text}</strong>
			</p>
			<p className="muted">
				{[words.kinds[note.kind], when(note), ...(note.created_by_name ? [words.by(note.created_by_name)] : [])].join(
					" · ",
				)}
			</p>
			{may("PATCH /annotations/{id}", role) && (
				<div className={styles.actions}>
					<Button look="quiet" small onClick={() => onChange(note)}>
						{t.change}
					</Button>
					<Button
						look="quiet"
						small
						onClick={() => {
							remove.run(note);
							onRemoved();
						}}
					>
						{t.remove}
					</Button>
				</div>
			)}
		</li>
	);
}
