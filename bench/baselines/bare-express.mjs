/** Baseline: Express with its JSON parser and its static file server. */
import express from 'express';

const app = express();
app.use(express.json());
app.use(express.static('dist/pages', { index: 'home.html' }));
app.post('/api/contact', (req, res) => {
  res.json(req.body);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
