import { useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Check, Select } from "../../ui/field/field.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { type EmbedLook, embedAddress, embedCode } from "./embed-code.ts";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";
import type { Link } from "./use-links.ts";

interface LinkAddressProps {
	readonly title: string;
	readonly link: Link;
	/** Missing where the address is new. */
	readonly onRenew: (() => void) | undefined;
	readonly onClose: () => void;
}

/** Address of a link and the HTML that embeds it. */
export function LinkAddress({ title, link, onRenew, onClose }: LinkAddressProps) {
	const { url } = link;
	const isFramed = url !== null && link.embed_origins.length > 0;
	return (
		<Dialog title={title} shape={isFramed ? "drawer" : "dialog"} onClose={onClose}>
			<div className={styles.form}>
				{url === null ? <p>{t.unknown}</p> : <Secret label={t.link} value={url} isShownOnce={false} />}
				{isFramed ? <Embed url={url} isNew={onRenew === undefined} /> : <p className={styles.hint}>{t.notFramed}</p>}
				<div className={styles.actions}>
					{onRenew && <Button onClick={onRenew}>{t.renew}</Button>}
					<Button look="primary" onClick={onClose}>
						{t.done}
					</Button>
				</div>
			</div>
		</Dialog>
	);
}

function Embed({ url, isNew }: { readonly url: string; readonly isNew: boolean }) {
	// Opening it counts as a view, so it is not opened by accident.
	const [isShown, setShown] = useState(isNew);
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
			<Secret label={t.embed} value={embedCode(url, look, t.frameTitle)} isShownOnce={false} />
			<p className={styles.hint}>{t.embedHint}</p>
			<section aria-label={t.preview} className={styles.preview}>
				<h3>{t.preview}</h3>
				{isShown ? (
					<iframe key={address} title={t.preview} src={own.pathname + own.search} className={styles.frame} />
				) : (
					<p>
						<Button small onClick={() => setShown(true)}>
							{t.showPreview}
						</Button>
					</p>
				)}
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
