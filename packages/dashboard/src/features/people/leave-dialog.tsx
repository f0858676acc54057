import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { type Site, sitesQuery } from "../site/index.ts";
import { t } from "./texts.ts";
import { type Person, usePeople } from "./use-people.ts";

interface LeaveDialogProps {
	readonly site: Site;
	readonly person: Person;
	readonly onClose: () => void;
}

/** Asks before one gives one's own role away, and goes to the sites that are left. */
export function LeaveDialog({ site, person, onClose }: LeaveDialogProps) {
	const { leave } = usePeople(site.id);
	const queries = useQueryClient();
	const navigate = useNavigate();
	return (
		<ConfirmDialog
			title={t.leaveTitle}
			goes={[t.leaveGoes, t.leaveBack]}
			stays={[t.leaveStays]}
			action={t.leaveTitle}
			onConfirm={async () => {
				await leave.mutateAsync(person);
				// The list that is known names the site still: its screen would ask for figures that are refused now.
				queries.removeQueries({ queryKey: sitesQuery.queryKey });
				await navigate({ to: "/sites" });
			}}
			onClose={onClose}
		/>
	);
}
