import { type ModelPort } from '../../../app/diagnose/model-port.js';

/** The workers' side is fetched when the first file comes. */
export async function loadModels(): Promise<ModelPort> {
  const [{ FileSession }, { SweepPool }] = await Promise.all([
    import('../../../engine/model-client.js'),
    import('../../../engine/sweep-pool.js'),
  ]);
  return { openSession: () => new FileSession(), answers: new SweepPool() };
}
