"""Ceilings of seven experiments by NumPy: the law is known, ten queries are chosen by information among sixty at random.
Importance draws from the prior, nats by sums over outcomes; errors of posterior means at ten questions."""
import numpy as np, sys
from scipy.special import erf, gammaln
rng=np.random.default_rng(7)
S=20000
def logmeanexp(a,w,axis): 
    m=a.max(axis=axis,keepdims=True); return (m+np.log((w*np.exp(a-m)).sum(axis=axis,keepdims=True))).squeeze(axis)
class Discount:
    name='discounting'; points=np.array([0,1.])
    def prior(s,n): return dict(k=np.exp(rng.normal(-4.25,.5,n)),a=np.abs(rng.normal(0,2,n)))
    def ask(s,n):
        out=[]
        while len(out)<n:
            i,d,t=rng.integers(1,301),rng.integers(1,301),rng.integers(1,365)
            if i<=d: out.append((i,d,t))
        return np.array(out,float)
    question=ask
    def p(s,th,x): 
        z=(x[:,1][:,None]/(1+th['k']*x[:,2][:,None])-x[:,0][:,None])/th['a']
        return .01+.98*.5*(1+erf(z/np.sqrt(2)))
    def draw(s,th,x): return (rng.random(len(x))<s.p(th,x)[:,0]).astype(float)
    def grid(s,th,x): return np.tile([0.,1.],(len(x),1)),np.ones((len(x),2))
    def logp(s,th,x,y): p=s.p(th,x); return np.where(y>.5,np.log(p),np.log1p(-p))
    def mean(s,th,x): return s.p(th,x)
    def err(s,m,y): return ((m>=.5)!=(y>.5)).mean()
class Dugongs:
    name='dugongs'
    def prior(s,n): return dict(a=rng.normal(2,.2,n),b=rng.normal(1.5,.5,n),l=rng.normal(.4,.5,n))
    def ask(s,n): return rng.uniform(0,5,(n,1))
    def question(s,n): return 4*rng.beta(2,5,(n,1))
    def mean(s,th,x): return th['a']-th['b']*np.abs(th['l'])**x
    def draw(s,th,x): return s.mean(th,x)[:,0]+.25*rng.normal(size=len(x))
    def logp(s,th,x,y): return -.5*((y-s.mean(th,x))/.25)**2-np.log(.25*np.sqrt(2*np.pi))
    def grid(s,th,x,w):
        m=s.mean(th,x); c=(w*m).sum(1); sd=np.sqrt((w*(m-c[:,None])**2).sum(1)+.0625)
        t=np.linspace(-1,1,96); q=c[:,None]+np.minimum(sd,3)[:,None]*6*t[None]; 
        return q,np.repeat((q[:,1]-q[:,0])[:,None],96,1)
    def err(s,m,y): return ((m-y)**2).mean()
class Peregrines:
    name='peregrines'
    def prior(s,n): return dict(a=rng.normal(4.5,.1,n),b=rng.normal(1.2,.1,n),c=rng.normal(.07,.01,n),d=rng.normal(-.24,.05,n))
    def ask(s,n): return rng.uniform(0,5,(n,1))
    def question(s,n): return np.round(4*rng.beta(2,5,(n,1)),1)
    def mean(s,th,x): return np.exp(th['a']+th['b']*x+th['c']*x**2+th['d']*x**3)
    def draw(s,th,x): return rng.poisson(s.mean(th,x)[:,0]).astype(float)
    def logp(s,th,x,y): m=s.mean(th,x); return y*np.log(m)-m-gammaln(y+1)
    def grid(s,th,x,w):
        m=s.mean(th,x); lo=np.quantile(m,.002,axis=1); hi=np.quantile(m,.998,axis=1)
        q=[];ws=[]
        for a,b in zip(lo,hi):
            f=max(0,np.floor(a-6*np.sqrt(a)-4)); e=np.ceil(b+6*np.sqrt(b)+4); st=max(1,int(np.ceil((e-f)/150)))
            v=f+st*np.arange(150); q.append(v); ws.append(np.where(v<=e+st,st,0.))
        return np.array(q),np.array(ws)
    def err(s,m,y): return ((m-y)**2).mean()
class Death:
    name='death_process'
    def prior(s,n):
        t=rng.normal(1,1,4*n); return dict(t=t[(t>0)&(t<2)][:n])
    def ask(s,n): return rng.uniform(.001,2,(n,1))
    question=ask
    def p(s,th,x): return -np.expm1(-th['t']*x)
    def mean(s,th,x): return 50*s.p(th,x)
    def draw(s,th,x): return rng.binomial(50,s.p(th,x)[:,0]).astype(float)
    def logp(s,th,x,y): 
        p=s.p(th,x); return gammaln(51)-gammaln(y+1)-gammaln(51-y)+y*np.log(p)-(50-y)*th['t']*x
    def grid(s,th,x,w): return np.tile(np.arange(51.),(len(x),1)),np.ones((len(x),51))
    def err(s,m,y): return ((m-y)**2).mean()
class Binary:
    def draw(s,th,x): return (rng.random(len(x))<s.p(th,x)[:,0]).astype(float)
    def grid(s,th,x,w): return np.tile([0.,1.],(len(x),1)),np.ones((len(x),2))
    def logp(s,th,x,y): p=np.clip(s.p(th,x),1e-12,1-1e-12); return np.where(y>.5,np.log(p),np.log1p(-p))
    def mean(s,th,x): return s.p(th,x)
    def err(s,m,y): return ((m>=.5)!=(y>.5)).mean()
class Morals(Binary):
    name='moral_machines'
    m=np.array([0,-.3,.4,-.3,.4,.1,.1,.7,.6]); sd=np.array([.3]+8*[.1])
    def prior(s,n): return {f'b{j}':rng.normal(s.m[j],s.sd[j],n) for j in range(9)}
    def ask(s,n): return np.column_stack([rng.integers(-1,2,n)]+[rng.integers(-4,5,n) for _ in range(6)]).astype(float)
    question=ask
    def p(s,th,x):
        eta=th['b0']+th['b2']
        for j,k in enumerate([1,3,4,5,6,7,8]): eta=eta+th[f'b{k}']*x[:,j][:,None]
        return 1/(1+np.exp(-eta))
class Survival(Binary):
    name='survival'
    def prior(s,n): return dict(h=np.maximum(rng.gamma(.1,10.,n),1e-300),b=np.abs(rng.normal(0,10,n)))
    def ask(s,n): return np.column_stack([np.round(rng.uniform(0,10,n),2),rng.integers(0,2,n)])
    question=ask
    def p(s,th,x): return 1/(1+np.exp(-np.minimum(700,x[:,0][:,None]*np.exp(np.minimum(600,th['b']*x[:,1][:,None]))*th['h'])))
class Irt(Binary):
    name='irt'
    def prior(s,n): return {f'{k}{j}':rng.normal(0,1,n) for k in 'adq' for j in range(6)}
    def ask(s,n): return rng.permutation([(i,j) for i in range(6) for j in range(6)])[:n].astype(float)
    question=ask
    def p(s,th,x):
        pick=lambda k,c: np.stack([np.ravel(th[f'{k}{int(c)}']) for c in c])
        a,d,q=pick('a',x[:,0]),pick('d',x[:,1]),pick('q',x[:,1])
        return 1/(1+np.exp(-q*(a-d)))
def nats(e,th,w,x,sub=1500):
    idx=rng.choice(len(w),sub,p=w); t={k:v[idx] for k,v in th.items()}; ww=np.full((1,sub),1/sub)
    q,wt=(e.grid(t,x) if isinstance(e,Discount) else e.grid(t,x,ww))
    out=[]
    for i in range(len(x)):
        L=e.logp({k:v[None] for k,v in t.items()},np.repeat(x[i:i+1],q.shape[1],0),q[i][:,None])  # [pts,S]
        p=np.exp(L); m=p.mean(1)
        H=-(wt[i]*np.where(m>0,m*np.log(np.maximum(m,1e-300)),0)).sum()
        h=-(wt[i][:,None]*np.where(p>0,p*L,0)).sum(0).mean()
        out.append(H-h)
    return np.array(out)
for E in [Discount(),Dugongs(),Peregrines(),Death(),Morals(),Survival(),Irt()]:
    if len(sys.argv)>2 and E.name not in sys.argv[2:]: continue
    for chosen in [True,False]:
        errs=[];orac=[];tot=[];ess=[]
        for ep in range(int(sys.argv[1])):
            true={k:v[:1] for k,v in E.prior(8).items()}
            th=E.prior(S); lw=np.zeros(len(next(iter(th.values()))))
            n=0; asked=set()
            for t in range(10):
                w=np.exp(lw-lw.max()); w/=w.sum()
                x=E.ask(60 if chosen else 36); x=np.array([r for r in x if E.name!='irt' or tuple(r) not in asked])[:None if chosen else 1]; g=nats(E,th,w,x); b=g.argmax(); n+=nats(E,th,w,x[b:b+1])[0]
                y=E.draw(true,x[b:b+1])[0]; asked.add(tuple(x[b]))
                L=E.logp(th,x[b:b+1],y)[0]
                lw=lw+np.where(np.isnan(L),-np.inf,L)
            w=np.exp(lw-lw.max()); w/=w.sum(); ess.append(1/(w**2).sum())
            q=E.question(10); yq=E.draw(true,q)
            errs.append(E.err((E.mean(th,q)*w).sum(1),yq)); orac.append(E.err(E.mean(true,q)[:,0],yq)); tot.append(n)
        f=lambda a:f"{np.mean(a):.4g} ± {np.std(a,ddof=1)/np.sqrt(len(a)):.2g}"
        print(E.name,'chosen' if chosen else 'random','error',f(errs),'oracle',f(orac),'nats',f(tot),'ess',np.median(ess),flush=True)
