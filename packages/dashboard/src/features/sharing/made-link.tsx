import { useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { type EmbedLook, embedAddress, embedCode } from "./embed-code.ts";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";

/** A link that was just made: the only moment in which its address is known. */
export interface Made {
	readonly what: "made";
	readonly url: string;
	/** Whether pages may frame it. */
	readonly isFramed: boolean;
}

/** The address of a new link, once, and what a page holds to frame it. */
export const MadeLink = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => (
	<Dialog title={t.madeTitle} shape={made.isFramed ? "drawer" : "dialog"} onClose={onClose}>
		<div className={styles.form}>
			<Secret label={t.link} value={made.url} />
			{made.isFramed && <Embed url={made.url} />}
			<div className={styles.actions}>
				<Button look="primary" onClick={onClose}>
					{t.done}
				</Button>
			</div>
		</div>
	</Dialog>
);

function Embed({ url }: { readonly url: string }) {
	const [look, setLook] = useState<EmbedLook>({ theme: "auto", lang: "auto", isWithoutMap: false });
	const address = embedAddress(url, look);
	// Behind a proxy the service may know itself by another name than the reader does.
	const own = new URL(address);
	return (
		<>
			<div className={styles.look}>
				<Choice label={t.theme} words={t.themes} value={look.theme} onChange={(theme) => setLook({ ...look, theme })} />
				<Choice
					label={t.language}
					words={t.languages}
					value={look.lang}
					onChange={(lang) => setLook({ ...look, lang })}
				/>
			</div>
			<Check
				label={t.map}
				checked={look.isWithoutMap}
				onChange={(event) => setLook({ ...look, isWithoutMap: event.target.checked })}
			/>
			<Secret label={t.embed} value={embedCode(url, look, t.frameTitle)} />
			<p className={styles.hint}>{t.embedHint}</p>
			<section aria-label={t.preview} className={styles.preview}>
				<h3>{t.preview}</h3>
				<iframe key={address} title={t.preview} src={own.pathname + own.search} className={styles.frame} />
			</section>
		</>
	);
}

interface ChoiceProps<Value extends string> {
	readonly label: string;
	readonly words: Readonly<Record<Value, string>>;
	readonly value: Value;
	readonly onChange: (value: Value) => void;
}

const Choice = <Value extends string>({ label, words, value, onChange }: ChoiceProps<Value>) => (
	<Select label={label} value={value} onChange={(event) => onChange(event.target.value as Value)}>
		{(Object.entries(words) as [Value, string][]).map(([key, text]) => (
			<option key={key} value={key}>
				{text}
			</option>
		))}
	</Select>
);
