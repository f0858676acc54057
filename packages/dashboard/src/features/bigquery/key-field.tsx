import { type ChangeEvent, type DragEvent, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { Area, Field } from "../../ui/field/field.tsx";
import styles from "./bigquery.module.css";
import { type KeyFile, readKey } from "./key-file.ts";
import { t } from "./texts.ts";

/** No key is longer. */
const maxBytes = 100_000;

interface KeyFieldProps {
	/** Content of the chosen file; null for a file that is no key. */
	readonly value: KeyFile | null | undefined;
	readonly onRead: (key: KeyFile | null) => void;
	/** Error of the server for this field. */
	readonly error: string | undefined;
}

/** Takes the key of a service account: a file that is chosen or dropped, or its content pasted. */
export function KeyField({ value, onRead, error }: KeyFieldProps) {
	const [isOver, setOver] = useState(false);
	const take = async (file: File | undefined) => {
		if (file === undefined) return;
		onRead(file.size > maxBytes ? null : (readKey(await file.text()) ?? null));
	};
	const drop = (event: DragEvent<HTMLElement>) => {
		event.preventDefault();
		setOver(false);
		void take(event.dataTransfer.files[0]);
	};
	const choose = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => void take(files?.[0]);
	const paste = ({ currentTarget: { value: text } }: ChangeEvent<HTMLTextAreaElement>) => {
		if (text.trim() !== "") onRead(readKey(text) ?? null);
	};
	return (
		<section
			aria-label={t.keyFile}
			className={classes(styles.key, isOver && styles.over)}
			onDragOver={(event) => {
				event.preventDefault();
				setOver(true);
			}}
			onDragLeave={() => setOver(false)}
			onDrop={drop}
		>
			<Field
				label={t.keyFile}
				hint={t.keyDrop}
				type="file"
				accept="application/json,.json"
				error={value === null ? t.keyFault : error}
				onChange={choose}
			/>
			{value && (
				<p role="status" className={styles.muted}>
					{t.keyRead(value.email)}
				</p>
			)}
			<details className={styles.part}>
				<summary>{t.keyPaste}</summary>
				<div>
					<Area label={t.keyPaste} rows={5} autoComplete="off" spellCheck={false} onChange={paste} />
				</div>
			</details>
		</section>
	);
}
