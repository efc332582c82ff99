/**
 * Works on items at the same time, at most `window` of them, and gives the results in the order of the items, each as
 * soon as may be. What goes wrong is thrown in that order, too: after the results of all items before it.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  window: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: { readonly result: Promise<Result>; isDone: boolean }[] = [];
  for await (const start of tasks(items, work)) {
    const task = { result: start(), isDone: false };
    const settle = () => {
      task.isDone = true;
    };
    // It is waited for below; until then a rejection is only early, not unhandled.
    task.result.then(settle, settle);
    running.push(task);
    while (running.length >= window || running[0]?.isDone) yield await running.shift()!.result;
  }
  while (running.length > 0) yield await running.shift()!.result;
}

/** A task an item; where the items end in an error, a last task that fails with it. */
async function* tasks<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<() => Promise<Result>> {
  try {
    for await (const item of items) yield () => work(item);
  } catch (error) {
    yield () => Promise.reject(error);
  }
}
