import { ChevronDown } from "lucide-react";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { kindAt } from "./view-kind.ts";

const ViewsPanel = lazily(async () => ({ default: (await import("./views-panel.tsx")).ViewsPanel }));

const t = texts({ en: { views: "Views" }, es: { views: "Vistas" } });

/** What is kept of a screen, for oneself and for colleagues; nothing on screens that have no views. */
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
