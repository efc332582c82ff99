import { type Html, html } from '../../../src/report/html/html.ts';
import type { ComparedSentence, VotedArc, VotedTree } from '../../tasks/compared-sentence.ts';

/** Who has voted for what, where not all are of one mind. */
export function ballotTable(sentence: ComparedSentence, vote: VotedTree): Html {
  const rows = vote.ballots.flatMap((arcs, i) => (arcs.length > 1 ? [ballotRow(sentence, vote, i)] : []));
  if (rows.length === 0) return html`<p class="note">All agree about every word.</p>`;
  return html`<table>
<caption>Words on which the models differ</caption>
<thead><tr><th scope="col" class="figure">No.</th><th scope="col">Word</th><th scope="col">Elected</th><th scope="col">Votes</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

function ballotRow(sentence: ComparedSentence, { heads, labels, ballots }: VotedTree, i: number): Html {
  const { forms, trees } = sentence;
  const votes = ballots[i].map((arc) => html`<li>${voted(forms, arc, trees.length)}</li>`);
  return html`<tr><td class="figure">${i + 1}</td><th scope="row"><bdi lang="">${forms[i]}</bdi></th>
<td>${arcText(forms, heads[i], labels[i])}</td><td><ul class="votes">${votes}</ul></td></tr>\n`;
}

function voted(forms: readonly string[], { head, label, models }: VotedArc, all: number): Html {
  return html`${arcText(forms, head, label)} <span class="share">${models.length} of ${all}: ${models.join(', ')}</span>`;
}

function arcText(forms: readonly string[], head: number, label: string): Html {
  const where = head === 0 ? 'root of the sentence' : html`<bdi lang="">${forms[head - 1]}</bdi> (${head})`;
  return html`${label} ← ${where}`;
}
