export function ContactSent() {
  return (
    <main>
      <h1>Thanks</h1>
    </main>
  );
}
export function ContactFailed() {
  return (
    <main>
      <h1>Sorry</h1>
    </main>
  );
}
