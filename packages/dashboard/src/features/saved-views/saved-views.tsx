import { ChevronDown } from "lucide-react";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { kindAt } from "./view-kind.ts";

const ViewsPanel = lazily(async () => ({ default: (await import("./views-panel.tsx")).ViewsPanel }));

const t = texts({ en: { views: "Views" }, es: { views: "Vistas" } });

/** Saved views of a screen, private and shared; nothing on screens without views. */
export function SavedViews({ path }: { readonly path: string }) {
	const kind = kindAt(path);
	return (
		kind && (
			<Popover
				label={
					<>
						{t.views}
						<ChevronDown size={16} aria-hidden="true" />
					</>
				}
			>
				{(close) => <ViewsPanel kind={kind} close={close} />}
			</Popover>
		)
	);
}
