import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useId, useState } from "react";
import { call } from "../../api/client.ts";
import { copy } from "../../lib/clipboard.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import type { Site } from "../site/index.ts";
import styles from "./install.module.css";
import { automaticEvents, type Pixel, type Place, places, type SnippetOptions, snippet } from "./snippets.ts";
import { t } from "./texts.ts";

/** Code to paste into pages, by platform. */
export function SnippetCard({ site }: { readonly site: Site }) {
	const path = { id: site.id };
	const query = useQuery({
		queryKey: ["GET /sites/{id}/pixel", path],
		queryFn: ({ signal }) => call("GET /sites/{id}/pixel", { path, signal }),
		staleTime: Number.POSITIVE_INFINITY,
	});
	return (
		<Card title={t.snippet}>
			<Loaded query={query} skeleton={<div className={styles.skeleton} />}>
				{(pixel) => <Snippet pixel={pixel} />}
			</Loaded>
		</Card>
	);
}

function Snippet({ pixel }: { readonly pixel: Pixel }) {
	const panel = useId();
	const [place, setPlace] = useState<Place>("html");
	const [options, setOptions] = useState<SnippetOptions>({ events: [], hash: false });
	const text = snippet(place, pixel, options);
	return (
		<>
			<Tabs
				label={t.where}
				tabs={places.map((key) => ({ key, label: t.places[key] }))}
				chosen={place}
				onChoose={setPlace}
				panel={panel}
			/>
			<div id={panel} role="tabpanel" aria-label={t.places[place]} className={styles.panel}>
				<p>{t.how[place]}</p>
				<Scroller label={t.snippet} className={styles.code}>
					<pre>{text}</pre>
				</Scroller>
				<Button look="primary" onClick={() => void copyText(text)}>
					<Copy size={16} aria-hidden="true" /> {t.copy}
				</Button>
			</div>
			<Options options={options} onChange={setOptions} />
		</>
	);
}

interface OptionsProps {
	readonly options: SnippetOptions;
	readonly onChange: (options: SnippetOptions) => void;
}

function Options({ options, onChange }: OptionsProps) {
	const toggle = (event: string, isOn: boolean) =>
		onChange({
			...options,
			events: isOn ? [...options.events, event] : options.events.filter((one) => one !== event),
		});
	return (
		<details className={styles.options}>
			<summary>{t.options}</summary>
			{automaticEvents.map((event) => (
				<label key={event}>
					<input
						type="checkbox"
						checked={options.events.includes(event)}
						onChange={(change) => toggle(event, change.target.checked)}
					/>
					{t.events[event]}
				</label>
			))}
			<label>
				<input
					type="checkbox"
					checked={options.hash}
					onChange={(change) => onChange({ ...options, hash: change.target.checked })}
				/>
				{t.hash}
			</label>
		</details>
	);
}

const copyText = (text: string): Promise<void> =>
	copy(text).then(
		() => toast(t.copied),
		() => toast(t.copyFailed),
	);
