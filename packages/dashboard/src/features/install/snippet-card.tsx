import { queryOptions, useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { classes } from "../../lib/classes.ts";
import { copy } from "../../lib/clipboard.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import type { Site } from "../site/index.ts";
import { useSiteChange } from "../site-settings/index.ts";
import styles from "./install.module.css";
import { type Pixel, type Place, places, snippet } from "./snippets.ts";
import { t } from "./texts.ts";

/** The tag of a site, and where it is loaded from. */
const pixelQuery = (id: string) =>
	queryOptions({ ...read("GET /sites/{id}/pixel", { path: { id } }), staleTime: Number.POSITIVE_INFINITY });

/** Code to paste into pages, by platform. */
export function SnippetCard({ site }: { readonly site: Site }) {
	const query = useQuery(pixelQuery(site.id));
	return (
		<Card title={t.snippet}>
			<Loaded query={query} skeleton={<div className={classes("placeholder", styles.skeleton)} />}>
				{(pixel) => <Snippet site={site} pixel={pixel} />}
			</Loaded>
		</Card>
	);
}

interface CodeProps {
	readonly text: string;
	/** Between the code and its button. */
	readonly children?: ReactNode;
}

/** Code with a button that copies it. */
const Code = ({ text, children }: CodeProps) => (
	<>
		<Scroller label={t.snippet} className={styles.code}>
			<pre>{text}</pre>
		</Scroller>
		{children}
		<Button look="primary" onClick={() => void copyText(text)}>
			<Copy size={16} aria-hidden="true" /> {t.copy}
		</Button>
	</>
);

/** The tag of a site for an ordinary page, as the report without visits shows it. */
export const FirstSnippet = ({ site }: { readonly site: Site }) => (
	<div className={styles.first}>
		<Loaded query={useQuery(pixelQuery(site.id))}>{(pixel) => <Code text={snippet("html", pixel, false)} />}</Loaded>
	</div>
);

function Snippet({ site, pixel }: { readonly site: Site; readonly pixel: Pixel }) {
	const panel = useId();
	const [place, setPlace] = useState<Place>("html");
	const [hash, setHash] = useState(false);
	const text = snippet(place, pixel, hash);
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
				<Code text={text}>
					<label className={styles.option}>
						<input type="checkbox" checked={hash} onChange={(change) => setHash(change.target.checked)} />
						{t.hash}
					</label>
				</Code>
			</div>
			<details className={styles.options}>
				<summary>{t.options}</summary>
				<p>{t.optionsHint}</p>
				<AutomaticEvents site={site} />
			</details>
		</>
	);
}

/** Events that the script sends by the settings of the site, without another tag. */
function AutomaticEvents({ site }: { readonly site: Site }) {
	const change = useSiteChange(site, () => t.eventsChanged);
	const chosen = site.automatic_events;
	return eventNames.map((event) => (
		<label key={event} className={styles.option}>
			<input
				type="checkbox"
				checked={chosen.includes(event)}
				disabled={change.isBusy || !may("PATCH /sites/{id}", site.role)}
				onChange={({ target }) =>
					change.run({
						automatic_events: target.checked ? [...chosen, event] : chosen.filter((one) => one !== event),
					})
				}
			/>
			{t.events[event]}
		</label>
	));
}

const eventNames = Object.keys(t.events) as (keyof typeof t.events)[];

const copyText = (text: string): Promise<void> =>
	copy(text).then(
		() => toast(t.copied),
		() => toast(t.copyFailed),
	);
